// What an agent does to a session, over the mock or, with RUNSHEET_URL, through a real host's own MCP endpoint.
import { randomUUID } from 'node:crypto';
import { created, items, turn, user, write } from '../dev/mock/script.mjs';
import { browse, REAL, start } from './browser.mjs';

/** A place to test in: a browser, and sessions made for the test. */
export async function place(options = {}) {
  return REAL ? real() : mock(options);
}

async function mock({ fill = () => {}, ...options }) {
  const browser = await start({ fill, ...options });
  const { store } = browser;
  let n = 0;
  return {
    ...browser,
    async session(said = 'Fix the failing login test') {
      const id = `00000000-0000-4000-8000-${String((n += 1)).padStart(12, '0')}`;
      let turns = 1;
      store.append(id, [created('/home/ann/shop-api'), turn(1), user(said)]);
      return {
        id,
        write: async (lines, more) => void store.append(id, write(lines, more)),
        nextTurn: async () => void store.append(id, [turn((turns += 1))]),
        todos: async () => store.sessions.get(id).fold.view('todos'),
      };
    },
  };
}

async function real() {
  const browser = await browse(REAL, { code: process.env.RUNSHEET_CODE });
  const post = async (params) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name };
    const answer = await fetch(`${REAL}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) });
    const text = await answer.text();
    const said = JSON.parse(text.startsWith('{') ? text : text.split('\n').find((line) => line.startsWith('data: {')).slice(6));
    if (said.error || said.result?.isError) throw new Error(text);
  };
  return {
    ...browser,
    async session() {
      const threadId = randomUUID();
      let turns = 1;
      let calls = 0;
      const call = (todos) => {
        const clientInfo = { name: 'codex-mcp-client', version: '0.171.0' };
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
          threadId,
          sessionId: threadId,
          callId: `call_${(calls += 1)}`,
          'x-codex-turn-metadata': { turn_id: `turn_${turns}` },
        };
        return post({ name: 'todo_write', arguments: { todos }, _meta });
      };
      const api = (path) => fetch(`${REAL}/api/v1/sessions/${path}`).then((answer) => answer.json());
      await call([]);
      const { session: id } = await api(threadId);
      return {
        id,
        // The tool of the default dialect takes content and status alone.
        write: (lines) => call((typeof lines[0] === 'string' ? items(lines) : lines).map(({ content, status }) => ({ content, status }))),
        // A turn begins with its first call: one that leaves an empty list.
        nextTurn: async () => {
          turns += 1;
          await call([]);
        },
        todos: () => api(`${id}/todos`),
      };
    },
  };
}

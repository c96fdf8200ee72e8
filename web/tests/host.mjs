// The real program, RUNSHEET_BIN: `serve` over a store of its own, and agents that write to the store through
// `runsheet mcp`, each in a process of its own.
import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export const BIN = process.env.RUNSHEET_BIN;

// A test run that is cut off leaves no process behind.
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

function start(args, options) {
  const child = spawn(BIN, args, options);
  children.add(child);
  const ended = new Promise((done) => child.once('exit', done)).then(() => children.delete(child));
  return { child, ended };
}

/** The id that a session of the mock's has in a real store. */
export function idOf(name) {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What the mock has in memory, as lines to import. */
export function exported(store) {
  const lines = [];
  // A host lists sessions by their last commit, so the newest comes last.
  const last = ([, { events }]) => events.at(-1).time;
  for (const [name, { events }] of [...store.sessions].sort((a, b) => (last(a) < last(b) ? -1 : 1))) {
    for (const event of events) {
      lines.push(JSON.stringify({ stream: `session/${idOf(name)}`, event: { ...event, by: 'runsheet/0.1.0' } }));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A host, over an empty store or one with what the mock's has. */
export async function startHost({ filled } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-web-'));
  const store = join(folder, 'runsheet.db');
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const run = (...args) => promisify(execFile)(BIN, ['--store', store, ...args], { env, maxBuffer: 1 << 28 }).then(({ stdout }) => stdout);
  if (filled) {
    const file = join(folder, 'filled.jsonl');
    await writeFile(file, exported(filled));
    await run('import', file);
  }
  const agents = new Set();
  let serving;
  let port = 0;

  async function serve() {
    const { child, ended } = start(['--store', store, 'serve', '--port', String(port)], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const said = [];
    const code = await new Promise((done, failed) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        said.push(line);
        const link = /http:\/\/127\.0\.0\.1:(\d+)\/#code=(\S+)/.exec(line);
        if (!link) return;
        port = Number(link[1]);
        done(link[2]);
      });
      void ended.then(() => failed(new Error(`serve ended: ${said.join('\n')}`)));
    });
    serving = { child, ended };
    return code;
  }

  const code = await serve();
  return {
    url: `http://127.0.0.1:${port}`,
    code,
    run,
    /** Ends the host as a power cut would, and waits until it is gone. */
    kill: async () => {
      serving.child.kill('SIGKILL');
      await serving.ended;
    },
    restart: serve,
    agent: (more) => {
      const agent = startAgent(store, env, more);
      agents.add(agent);
      return agent;
    },
    stop: async () => {
      await Promise.all([...agents].map((agent) => agent.stop()));
      serving.child.kill('SIGTERM');
      await serving.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An agent as Codex is one: its own process, its own thread, a key for each turn. */
function startAgent(store, env, { cwd = tmpdir() } = {}) {
  const { child, ended } = start(['--store', store, 'mcp'], { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line);
    waiting.get(said.id)?.(said);
    waiting.delete(said.id);
  });
  const threadId = randomUUID();
  let calls = 0;
  return {
    threadId,
    turn: 1,
    /** Sends a list; what the model is told. */
    async call(todos) {
      calls += 1;
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'codex-mcp-client', version: '0.171.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
        threadId,
        sessionId: threadId,
        callId: `call_${calls}`,
        'x-codex-turn-metadata': { turn_id: `turn_${this.turn}` },
      };
      const answered = new Promise((done) => waiting.set(calls, done));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: calls, method: 'tools/call', params: { name: 'todo_write', arguments: { todos }, _meta } })}\n`);
      const { result, error } = await answered;
      if (error) throw new Error(JSON.stringify(error));
      return { isError: result.isError === true, blocks: result.content.map(({ text }) => text) };
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

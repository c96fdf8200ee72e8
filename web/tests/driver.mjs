// What an agent does to a session: over the mock or, with RUNSHEET_BIN, over the real program.
import { created, fill, items, turn, user, write } from '../dev/mock/script.mjs';
import { Store } from '../dev/mock/store.mjs';
import { browse, start } from './browser.mjs';
import { BIN, idOf, startHost } from './host.mjs';

export { BIN };

/** A place to test in: a browser, and sessions made for the test. `filled` has sessions in every state before. */
export async function place(options = {}) {
  return BIN ? real(options) : mock(options);
}

async function mock({ filled = false }) {
  const browser = await start({ fill: filled ? fill : () => {} });
  const { store } = browser;
  let n = 0;
  return {
    ...browser,
    path: (name) => `/s/${name}`,
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

/** The list of a call: the tool of the default dialect takes content and status alone. */
export function listOf(lines) {
  return (typeof lines[0] === 'string' ? items(lines) : lines).map(({ content, status }) => ({ content, status }));
}

async function real({ filled = false }) {
  const host = await startHost(filled ? { filled: filledStore() } : {});
  const browser = await browse(host.url, { code: host.code, stopHost: host.stop });
  const api = (path) => fetch(`${host.url}/api/v1/sessions/${path}`).then((answer) => answer.json());
  return {
    ...browser,
    host,
    path: (name) => `/s/${idOf(name)}`,
    async session() {
      const agent = host.agent();
      const send = async (todos) => {
        const { isError, blocks } = await agent.call(todos);
        if (isError) throw new Error(blocks.join('\n'));
      };
      await send([]);
      const { session: id } = await api(agent.threadId);
      return {
        id,
        agent,
        write: (lines) => send(listOf(lines)),
        // A turn begins with its first call: one that leaves an empty list.
        nextTurn: async () => {
          agent.turn += 1;
          await send([]);
        },
        todos: () => api(`${id}/todos`),
      };
    },
  };
}

function filledStore() {
  const store = new Store();
  fill(store);
  return store;
}

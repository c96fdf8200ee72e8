// What the mock's sessions did, and what one of them goes on to do.

const text = (content) => [{ type: 'text', text: content }];

export const created = (cwd, agent = {}) => ({
  type: 'session/created',
  data: { format: 1, cwd, agent: { name: 'codex', version: '0.171.0', dialect: 'dsh', ...agent }, source: { kind: 'mcp' }, lifecycle: 'observed' },
});
export const turn = (n) => ({ type: 'turn/start', data: { turn: n } });
export const ended = (n, reason = 'completed') => ({ type: 'turn/end', data: { turn: n, reason } });
export const user = (said) => ({ type: 'user/message', data: { content: text(said) } });
export const agent = (said, reasoning) => ({
  type: 'assistant/message',
  data: { content: [...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []), ...text(said)], model: 'gpt-5.4' },
});
export const call = (callId, name, args) => ({ type: 'tool/call', data: { callId, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } });
export const result = (callId, said, more = {}) => ({ type: 'tool/result', data: { callId, content: text(said), ...more } });

const GLYPHS = { o: 'pending', '*': 'in_progress', x: 'completed', '-': 'cancelled' };

/** A list from lines such as `* Write the fix | Writing the fix`: status, content, active form. */
export function items(lines) {
  return lines.map((line) => {
    const [content, activeForm] = line.slice(2).split(' | ');
    return { content, status: GLYPHS[line[0]], ...(activeForm ? { activeForm } : {}) };
  });
}

let calls = 0;

export function write(lines, { scope = 'main', author = 'model', lifetime = 'turn', explanation } = {}) {
  const todos = typeof lines[0] === 'string' ? items(lines) : lines;
  const callId = `call_${(calls += 1)}`;
  const data = { scope, todos, author, dialect: 'dsh', lifetime, policy: { allowParallelInProgress: true }, ...(explanation ? { explanation } : {}) };
  if (author !== 'model') return [{ type: 'todo/write', data }];
  const n = (status) => todos.filter((item) => item.status === status).length;
  const said = `Todos: ${n('completed')} completed, ${n('in_progress')} in progress, ${n('pending')} pending`;
  return [
    call(callId, 'mcp__runsheet__todo_write', { todos }),
    { type: 'todo/write', data: { ...data, callId } },
    result(callId, said),
  ].map((event) => (scope === 'main' ? event : { ...event, data: { ...event.data, scope } }));
}

const FIX = ['Read the login code', 'Reproduce the failing test | Reproducing the failing test', 'Write the fix | Writing the fix', 'Update the fixtures | Updating the fixtures', 'Run the whole suite | Running the whole suite', 'Write the changelog entry'];
const marks = (glyphs, lines = FIX) => lines.map((line, at) => `${glyphs[at]} ${line}`);

/** Minutes ago, as a time. */
const ago = (minutes, now) => new Date(now - minutes * 60_000).toISOString();

/** Fills a store with sessions in every state. */
export function fill(store, now = Date.now()) {
  const at = (minutes, ...events) => events.flat().map((event) => ({ ...event, time: ago(minutes, now) }));

  store.append('fix-login', [
    ...at(42, created('/home/ann/shop-api'), turn(1), user('The login test fails since yesterday. Find out why and fix it.')),
    ...at(41, agent('I start with a plan, then look at the token check.', 'The failing test is `login::expired_token`. Clock handling is the likely cause.')),
    ...at(41, write(marks('*ooo').slice(0, 4), { explanation: 'First the cause, then the fix.' })),
    ...at(40.9, call('c1', 'bash', { command: 'rg -n "expires_at" crates/auth/src' })),
    ...at(40.8, result('c1', 'crates/auth/src/token.rs:41: if expires_at < now {\ncrates/auth/src/token.rs:88: expires_at: now + ttl', { facts: { exitCode: 0 } })),
    ...at(40, write(marks('x*oo').slice(0, 4))),
    ...at(39, call('c2', 'bash', { command: 'cargo test -p auth login' })),
    ...at(38.9, result('c2', 'running 14 tests\ntest login::expired_token ... FAILED\n\nfailures:\n    login::expired_token: expected 401, got 200', { isError: true, facts: { exitCode: 101 } })),
    ...at(38, agent('The comparison is the wrong way round at the boundary: a token that expires **exactly now** still passes.\n\n| case | expected | got |\n|---|:-:|--:|\n| `expires_at < now` | 401 | 401 |\n| `expires_at == now` | 401 | **200** |\n\n```rust\nif expires_at <= now {\n    return Err(AuthError::Expired);\n}\n```')),
    ...at(37.5, write(marks('xx**oo'))),
    ...at(37, call('c3', 'todo_write', '{"todos": [{"content": "Write the fix", "status": "in_prog')),
    ...at(37, result('c3', 'Error: arguments are not valid JSON: EOF while parsing a string at line 1 column 62', { isError: true })),
    ...at(36.5, call('c4', 'mcp__runsheet__todo_write', { todos: [{ content: ' ', status: 'pending' }] })),
    ...at(36.5, result('c4', 'Error: todos[0].content must not be blank', { isError: true })),
    ...at(36, call('c5', 'apply_patch', { path: 'crates/auth/src/token.rs', patch: '@@ -41 +41 @@\n-if expires_at < now {\n+if expires_at <= now {' })),
    ...at(35.9, result('c5', 'patched crates/auth/src/token.rs')),
    ...at(35, { type: 'subagent/started', data: { agentId: 'fixtures', agentType: 'worker' } }),
    ...at(34.9, write(['x Find the fixtures', '* Rewrite the dates | Rewriting the dates', 'o Check them'], { scope: 'agent:fixtures' })),
    ...at(5, write(marks('xx**oo').map((line) => line.replace('Write the changelog entry', 'Write the changelog entry')), {})),
    ...at(4, call('c6', 'bash', { command: 'cargo test --workspace' })),
  ]);

  store.append('add-search', [
    ...at(22, created('/home/ann/shop-api', { name: 'claude-code', version: '2.1.332' }), turn(1), user('Add a search box to the product list.')),
    ...at(21, write(['x Read the list component', 'x Add the query parameter', '* Debounce the input | Debouncing the input', 'o Highlight matches', 'o Write the tests'], { lifetime: 'session' })),
    ...at(1, { type: 'permission/asked', data: { requestId: 'r1', question: 'Run `npm install lodash.debounce`?' } }),
  ]);

  store.append('changelog', [
    ...at(130, created('/home/ann/docs'), turn(1), user('Write the changelog for 2.4.')),
    ...at(128, write(['x Collect the merged changes', 'x Group them', '* Write them down | Writing them down', 'o Check the links'])),
    ...at(121, write(['x Collect the merged changes', 'x Group them', 'x Write them down | Writing them down', 'x Check the links'])),
    ...at(120, agent('Done: `CHANGELOG.md` has eleven entries.'), ended(1)),
  ]);

  store.append('rewrite-intro', [
    ...at(1500, created('/home/ann/docs', { name: 'opencode', version: '1.18.0' }), turn(1), user('Rewrite the introduction.')),
    ...at(1490, write(['x Read the old one', '* Draft a new one | Drafting a new one', 'o Ask for a review', 'o Publish it'], { lifetime: 'session' })),
    ...at(1480, ended(1, 'disconnected')),
  ]);

  store.append('no-tool', [
    ...at(300, created('/home/ann/docs', { name: 'claude-code', version: '2.1.332', dialect: undefined }), turn(1), user('What does the build script do?')),
    ...at(299, call('c1', 'Read', { file_path: 'build.rs' }), result('c1', 'fn main() {}')),
    ...at(298, agent('It does nothing.'), ended(1)),
  ]);

  store.append('gemini', [
    ...at(64, created('/home/ann/site', { name: 'gemini-cli', version: '0.61.0' }), turn(1), user('把首页翻译成中文，并检查所有链接')),
    ...at(63, write(['x 读取首页内容', '* 翻译标题和导航 | 正在翻译标题和导航', 'o 翻译正文', 'o 检查所有链接'])),
  ]);
}

/** The rest of `fix-login`, a step every so often: what one sees who watches. */
export const REST = [
  () => [result('c6', 'test result: ok. 214 passed; 0 failed', { facts: { exitCode: 0 } })],
  () => write(marks('xxx**o')),
  () => [agent('The fix holds. The fixtures are next, while the suite runs.')],
  () => write(marks('xxxx*o')),
  () => [call('c7', 'bash', { command: 'cargo test --workspace --release' })],
  () => [result('c7', 'test result: ok. 214 passed; 0 failed', { facts: { exitCode: 0 } })],
  () => write(marks('xxxxx*')),
  () => write(marks('xxxxxx')),
  () => [agent('All done: the boundary case is fixed and covered by a test.'), ended(1)],
];

/** A session too long to look at whole. */
export function fillLong(store, session, events) {
  const batch = [created('/home/ann/monorepo'), turn(1), user('Migrate every package.')];
  const todos = (done) => Array.from({ length: 12 }, (_, at) => ({ content: `Migrate package ${at + 1}`, status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending' }));
  for (let n = 0; batch.length < events; n += 1) {
    const callId = `long_${n}`;
    batch.push(call(callId, 'bash', { command: `make package-${n % 97}` }), result(callId, `built package-${n % 97}\n`.repeat(1 + (n % 5)), { facts: { exitCode: n % 41 === 0 ? 1 : 0 }, isError: n % 41 === 0 }));
    if (n % 9 === 0) batch.push(agent(`Package ${n % 97} builds. *Next:* number ${(n + 1) % 97}, with \`make package-${(n + 1) % 97}\`.`));
    if (n % 25 === 0) batch.push(...write(todos(Math.floor(n / 25) % 12)));
  }
  store.append(session, batch.slice(0, events));
}

/** As many sessions as a year brings. */
export function fillMany(store, count, now = Date.now()) {
  for (let n = 0; n < count; n += 1) {
    const time = new Date(now - n * 3_600_000).toISOString();
    const done = n % 6;
    const todos = Array.from({ length: 5 }, (_, at) => ({ content: `Step ${at + 1} of job ${n}`, status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending' }));
    const events = [created(`/home/ann/project-${n % 40}`, { name: ['codex', 'claude-code', 'opencode'][n % 3] }), turn(1), user(`Job number ${n}`), ...write(todos), ...(n % 4 === 0 ? [] : [ended(1)])];
    store.append(`job-${n}`, events.map((event) => ({ ...event, time })));
  }
}

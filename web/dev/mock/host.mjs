// The host API of a store in memory, its files, and under /__mock what a test wants a host to do.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const CSP = ["default-src 'none'", ...['script', 'style', 'img', 'connect', 'font'].map((kind) => `${kind}-src 'self'`), "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"].join('; ');

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };

const STATUSES = new Set(['pending', 'in_progress', 'completed', 'cancelled']);

export function createHost(store, { needsLogin = false } = {}) {
  const streams = new Set();
  let down = false;
  const host = createServer((request, response) => {
    serve(request, response).catch((error) => send(response, 500, { error: { code: 'mock', message: String(error) } }));
  });

  function send(response, status, value, headers = {}) {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  }

  const fail = (response, status, code, message, more = {}) => send(response, status, { error: { code, message }, ...more });

  async function serve(request, response) {
    const url = new URL(request.url, 'http://mock');
    if (url.pathname.startsWith('/__mock/')) return control(url, request, response);
    if (down) return request.socket.destroy();
    if (!url.pathname.startsWith('/api/v1/')) return file(url.pathname, response);
    const path = url.pathname.slice('/api/v1'.length);
    if (path === '/login') return login(request, response);
    if (needsLogin && !/(^|; )runsheet=yes/.test(request.headers.cookie ?? '')) return fail(response, 401, 'not_signed_in', 'not signed in');
    if (path === '/health') return send(response, 200, { status: 'ok', version: 'mock', epoch: store.epoch });
    if (path === '/sessions') return send(response, 200, { cursor: store.cursor, sessions: store.entries(Number(url.searchParams.get('limit') ?? 100)) });
    if (path === '/events') return events(url, request, response);
    const [, session, what] = /^\/sessions\/([^/]+)(?:\/(history|todos))?$/.exec(path) ?? [];
    const id = decodeURIComponent(session ?? '');
    if (!store.sessions.has(id)) return fail(response, 404, 'no_session', 'there is no such session');
    if (what === undefined) return send(response, 200, { session: id });
    if (what === 'history') return history(id, url, response);
    return request.method === 'PUT' ? put(id, request, response) : get(id, response);
  }

  async function login(request, response) {
    const { code } = await body(request);
    if (code !== 'let-me-in') return fail(response, 401, 'bad_code', 'the code is not valid');
    return send(response, 204, undefined, { 'set-cookie': 'runsheet=yes; HttpOnly; SameSite=Strict; Path=/' });
  }

  function history(id, url, response) {
    const before = url.searchParams.get('before');
    const types = url.searchParams.get('types');
    const query = { limit: Math.min(500, Number(url.searchParams.get('limit') ?? 50)), ...(before === null ? {} : { before: Number(before) }), ...(types === null ? {} : { types: types.split(',') }) };
    return send(response, 200, store.history(id, query));
  }

  function get(id, response) {
    const view = store.sessions.get(id).fold.view('todos');
    return view ? send(response, 200, view) : fail(response, 404, 'no_todo_tool', 'this agent has no todo tool');
  }

  async function put(id, request, response) {
    if (!/^application\/json/.test(request.headers['content-type'] ?? '')) return fail(response, 415, 'not_json', 'send application/json');
    const { revision, todos } = await body(request);
    const { fold } = store.sessions.get(id);
    if (fold.header.foreign) return fail(response, 405, 'foreign', 'this session belongs to another program');
    if (revision !== fold.revision) return fail(response, 409, 'conflict', 'the list has changed', { current: fold.view('todos') });
    const bad = todos.findIndex((item) => typeof item.content !== 'string' || item.content.trim() === '' || !STATUSES.has(item.status));
    if (bad !== -1) return fail(response, 422, 'invalid_todos', `todos[${bad}].content: must not be blank`);
    const data = { scope: 'main', todos, author: 'human', dialect: 'dsh', lifetime: 'turn', policy: { allowParallelInProgress: true } };
    store.append(id, [{ type: 'todo/write', data }]);
    return send(response, 200, fold.view('todos'));
  }

  function events(url, request, response) {
    const asked = (url.searchParams.get('sessions') ?? 'all').split(',');
    const unknown = asked.find((id) => id !== 'all' && !store.sessions.has(id));
    if (unknown !== undefined) return fail(response, 404, 'no_session', 'there is no such session');
    const keys = url.searchParams.get('keys')?.split(',');
    const wants = ({ type, value: { session, key } }) =>
      asked.includes(session) || (type === 'projection' && asked.includes('all') && (!keys || keys.includes(key)));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': hello\n\n');
    const write = ({ position, type, value }) => response.write(`id: ${store.epoch}.${position}\nevent: ${type}\ndata: ${JSON.stringify(value)}\n\n`);
    const cursor = request.headers['last-event-id'] ?? url.searchParams.get('cursor');
    const missed = cursor === null ? [] : store.since(cursor);
    if (missed === null) {
      response.end(`id: ${store.cursor}\nevent: reset\ndata: ${JSON.stringify({ cursor: store.cursor })}\n\n`);
      return;
    }
    missed.filter(wants).forEach(write);
    const listener = (frame) => wants(frame) && write(frame);
    const alive = setInterval(() => response.write(': alive\n\n'), 15_000);
    store.listeners.add(listener);
    streams.add(response);
    response.on('close', () => {
      clearInterval(alive);
      store.listeners.delete(listener);
      streams.delete(response);
    });
  }

  const hangUp = () => {
    for (const stream of streams) stream.socket?.destroy();
    streams.clear();
  };

  async function control(url, request, response) {
    const what = url.pathname.slice('/__mock/'.length);
    const input = request.method === 'POST' ? await body(request) : {};
    if (what === 'append') return send(response, 200, store.append(input.session, input.events));
    if (what === 'streams') return send(response, 200, { open: streams.size });
    if (what === 'down') down = true;
    else if (what === 'up') down = false;
    else if (what === 'epoch') store.newEpoch();
    else if (what !== 'hang-up') return fail(response, 404, 'mock', 'no such control');
    if (what !== 'up') hangUp();
    return send(response, 200, {});
  }

  async function file(path, response) {
    const name = normalize(path).replace(/^([/\\]|\.\.)+/, '');
    const asset = name !== '' && extname(name) in TYPES;
    const headers = { 'content-security-policy': CSP, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
    try {
      const bytes = await readFile(join(DIST, asset ? name : 'index.html'));
      response.writeHead(200, { ...headers, 'content-type': TYPES[asset ? extname(name) : '.html'] });
      response.end(bytes);
    } catch {
      response.writeHead(404, headers);
      response.end('not built: npm run build\n');
    }
  }

  host.stop = () => {
    hangUp();
    host.closeAllConnections();
    return new Promise((done) => host.close(done));
  };
  return host;
}

async function body(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

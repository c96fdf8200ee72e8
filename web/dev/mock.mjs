// A host without a host: the API the page talks to, over sessions in memory, one of which goes on while you watch.
//   node dev/mock.mjs [--port 4478] [--empty] [--still] [--many N] [--long N] [--login]
import { createHost } from './mock/host.mjs';
import { fill, fillLong, fillMany, REST } from './mock/script.mjs';
import { Store } from './mock/store.mjs';

const args = process.argv.slice(2);
const has = (name) => args.includes(name);
const value = (name, otherwise) => (has(name) ? Number(args[args.indexOf(name) + 1]) : otherwise);

const store = new Store();
if (!has('--empty')) fill(store);
if (has('--many')) fillMany(store, value('--many'));
if (has('--long')) fillLong(store, 'long', value('--long'));

const port = value('--port', 4478);
createHost(store, { needsLogin: has('--login') }).listen(port, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${port}/${has('--login') ? '#code=let-me-in' : ''}`);
});

if (!has('--still') && !has('--empty')) {
  let step = 0;
  setInterval(() => {
    if (step < REST.length) store.append('fix-login', REST[step]());
    step += 1;
  }, 2500).unref();
}

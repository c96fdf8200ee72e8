import { mount } from 'svelte';
import { login } from './api/host';
import App from './App.svelte';
import './theme.css';

/** `serve` prints a link with a one-time code behind `#`, which no server and no log ever sees. */
async function signIn(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', location.pathname);
  try {
    await login(code);
  } catch {
    // A code that was used before is no reason to stop: the cookie of then may still hold, and the list will say.
  }
}

await signIn();
mount(App, { target: document.body });

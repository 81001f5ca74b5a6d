import { render } from 'preact';
import { App } from './app.js';
import { isLink, openSession } from './session/session.js';

const place = document.getElementById('console');
if (place !== null) {
  // Starts before the first rendering, so that the token leaves the address bar immediately.
  void openSession();
  // Opening a new link in this tab changes only the hash, without a page load.
  addEventListener('hashchange', () => {
    if (isLink()) void openSession();
  });
  render(<App />, place);
}

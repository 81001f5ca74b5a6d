import { render } from 'preact';
import { App } from './app.js';
import { isLink, openSession } from './session/session.js';

const place = document.getElementById('console');
if (place !== null) {
  // Before anything is shown: keeps the token off the screen and out of the history.
  const opened = openSession();
  // A new link that opens in this tab causes no page load.
  addEventListener('hashchange', () => {
    if (isLink()) void openSession();
  });
  render(<App />, place);
  void opened;
}

import { busyWords } from './shared/again.ts';
import { addStyle, arrive, NotArrived } from './shared/arrival.ts';

// The script in the page itself: the only one that can't be refused, so it loads the others, and says so when it takes
// long.

const page = document.querySelector('#start');

const say = (text: string): void => {
  if (page) page.textContent = text;
};

const tellBusy = () => say(busyWords);

async function start(): Promise<void> {
  try {
    const style = arrive([STYLE], () => addStyle(STYLE), tellBusy);
    const script = arrive([SCRIPT], async () => {}, tellBusy);
    await Promise.all([style, script]);
    await arrive([], () => import(SCRIPT), tellBusy);
  } catch (error) {
    offerAgain(error instanceof NotArrived ? error.message : `The console failed: ${error}`);
  }
}

function offerAgain(words: string): void {
  say(`${words} `);
  const button = document.createElement('button');
  button.textContent = 'Reload';
  button.onclick = () => location.reload();
  page?.append(button);
}

void start();

import { isWorthTelling, maxTries, pause, pauseAfter } from './again.ts';

export class NotArrived extends Error {
  constructor(status: number | undefined) {
    super(
      status === 404
        ? 'The console has been updated. Reload the page.'
        : `The console couldn’t be loaded${status ? ` (${status})` : ''}. Reload the page.`,
    );
  }
}

/** Refused by a throttle, or out of reach. */
const mayArrive = (status: number | undefined): boolean =>
  status === undefined || status === 429 || status >= 500;

/** Fetches a file until the browser has it in its cache. */
async function bring(file: string, tellBusy: () => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const status = await statusOf(file);
    if (status === 200) return;
    if (tries === maxTries || !mayArrive(status)) throw new NotArrived(status);
    if (isWorthTelling(tries)) tellBusy();
    await pause(pauseAfter(tries));
  }
}

async function statusOf(file: string): Promise<number | undefined> {
  try {
    const response = await fetch(file);
    // An answer is in the cache once it has been read.
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** Applies a style sheet, unless it is already. */
export function addStyle(href: string): Promise<unknown> {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new NotArrived(undefined));
    };
    document.head.append(link);
  });
}

/** A browser that doesn't cache what it fetched may be refused once more. */
const maxLoads = 4;

/**
 * Loads what needs these files. They are fetched first, since most browsers remember that a script couldn't be loaded,
 * and never ask for it again before the page is reloaded (whatwg/html#6768).
 *
 * @throws NotArrived if a file doesn't come.
 */
export async function arrive<Part>(
  files: readonly string[],
  load: () => Promise<Part>,
  tellBusy: () => void,
): Promise<Part> {
  for (let loads = 1; ; loads += 1) {
    await Promise.all(files.map((file) => bring(file, tellBusy)));
    try {
      return await load();
    } catch (error) {
      if (loads === maxLoads) throw error;
      await pause(pauseAfter(loads));
    }
  }
}

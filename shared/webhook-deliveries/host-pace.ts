import type { Table, TableAndClock } from '#shared/table/table-client';
import { countAtHost, hostSpanSeconds } from './host-window-store.ts';

/** A process's first attempts at one host in a span: it counts them in memory only. */
export const uncountedAttempts = 20;

/** After those, it takes up to this many more from the table with each write. */
const maxTaken = 100;

/** How many hosts a process keeps count of. Then it forgets them all: a few attempts too many do no harm. */
const maxHosts = 1_000;

type Window = {
  readonly span: number;
  left: number;
  isUsedUp: boolean;
  asking: Promise<void> | undefined;
};

/**
 * Bounds the attempts at one host, by all organizations and processes together: many endpoints, events and tests may be
 * aimed at one victim. Most attempts cost no write, because a process makes its first `uncountedAttempts` in a span
 * without asking. All further ones come from the table, which gives out `perSecond` times the span's seconds.
 */
export function createHostPace(perSecond: number) {
  const most = perSecond * hostSpanSeconds;
  const amount = Math.min(maxTaken, most);
  const hosts = new Map<string, Window>();

  function windowOf(host: string, span: number): Window {
    const known = hosts.get(host);
    if (known?.span === span) return known;
    if (hosts.size >= maxHosts) hosts.clear();
    const window = { span, left: uncountedAttempts, isUsedUp: false, asking: undefined };
    hosts.set(host, window);
    return window;
  }

  async function ask(table: Table, host: string, window: Window): Promise<void> {
    try {
      const taken = await countAtHost(table, host, window.span, amount, most);
      if (taken) window.left += amount;
      else window.isUsedUp = true;
    } finally {
      window.asking = undefined;
    }
  }

  /** Whether an attempt at the URL's host may be made now. It then counts. */
  async function take(url: string, { table, now }: TableAndClock): Promise<boolean> {
    const host = URL.parse(url)?.host ?? url;
    const window = windowOf(host, Math.floor(now() / (hostSpanSeconds * 1_000)));
    while (window.left === 0) {
      if (window.isUsedUp) return false;
      window.asking ??= ask(table, host, window);
      await window.asking;
    }
    window.left -= 1;
    return true;
  }

  return { take };
}

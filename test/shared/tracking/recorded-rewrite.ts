import { readFileSync } from 'node:fs';
import { rewriteHtml } from '#shared/tracking/rewrite-html';

export const pixelUrl = 'https://t.example/o/1';
export const pixel = `<img src="${pixelUrl}" width="1" height="1" alt="">`;

/** The n-th link's: it has every character that some way of quoting must escape. */
export const trackedUrl = (index: number): string => `https://t.example/c/${index}?a=1&b='"<=>\``;

/** Rewrites as the service does; `destinations` are those it asked for, in order. */
export function recordRewrite(html: string) {
  const destinations: string[] = [];
  const output = rewriteHtml(html, {
    trackedUrl: (destination) =>
      isOwn(destination) ? undefined : trackedUrl(destinations.push(destination) - 1),
    beforeBodyEnd: pixel,
  });
  return { output, destinations };
}

/** The service's own links: those of a recipient who wants to leave, and those it put there. */
export const isOwn = (url: string): boolean =>
  /\/(unsubscribe|preferences)\?/.test(url) || url.startsWith('https://t.example/');

export const readFixture = (name: string): string =>
  readFileSync(new URL(`fixtures/${name}.html`, import.meta.url), 'utf8');

import { expect } from 'vitest';
import { type BrowserLink, viewInBrowser } from './browser-view.ts';
import { isOwn, pixel, pixelUrl, recordRewrite, trackedUrl } from './recorded-rewrite.ts';

const isTracked = ({ destination }: BrowserLink) =>
  destination !== undefined && !isOwn(destination);

/**
 * Rewrites a document and holds the result against what a browser makes of both: each link that leads
 * to the web is the tracked one of exactly that URL, no other link differs, the pixel is shown once,
 * and with the links put back and the pixel taken out the document is the one it was.
 */
export function expectFaithful(html: string) {
  const { output, destinations } = recordRewrite(html);
  const before = viewInBrowser(html);
  const after = viewInBrowser(output);

  const tracked = before.links.filter(isTracked);
  expect(destinations).toEqual(tracked.map(({ destination }) => destination));
  expect(after.links.map(({ href }) => href)).toEqual(
    before.links.map((link) => (isTracked(link) ? trackedUrl(tracked.indexOf(link)) : link.href)),
  );
  expect(after.images.filter((source) => source === pixelUrl)).toHaveLength(1);
  expect(undo(output, after.links, html, before.links)).toBe(html);
  return { output, destinations };
}

/** Puts the source of each link's href back, by where a browser finds it, and removes the pixel. */
function undo(
  output: string,
  links: readonly BrowserLink[],
  original: string,
  originalLinks: readonly BrowserLink[],
): string {
  let position = 0;
  const pieces = links.flatMap(({ source }, index) => {
    const { start, end } = originalLinks[index]?.source ?? { start: 0, end: 0 };
    const between = output.slice(position, source.start);
    position = source.end;
    return [between, original.slice(start, end)];
  });
  return [...pieces, output.slice(position)].join('').replace(pixel, '');
}

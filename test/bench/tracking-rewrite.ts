import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { rewriteHtml } from '#shared/tracking/rewrite-html';
import { atLeast, atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const sizes = [
  { label: '1 KB', bytes: 1_000, rounds: 2_001 },
  { label: '10 KB', bytes: 10_000, rounds: 501 },
  { label: '100 KB', bytes: 100_000, rounds: 101 },
  { label: '1 MB', bytes: 1_000_000, rounds: 15 },
  { label: '4 MB', bytes: 4_000_000, rounds: 7 },
];

/** Each begins, again and again, something that must not be searched to the document's end. */
const hostile = [
  '<script></script>',
  '<script><!--<script>',
  '</p x="">',
  '</p "',
  '<![CDATA[',
  '<svg><![CDATA[',
  '<svg><g></p>',
  '<template>',
  '<title></title',
  '<!--',
  '<a href="',
  '<a href=&amp;&#',
  '<a b',
  '<',
];

const pixel = '<img src="https://mail.example/t/o/k1" alt="" width="1" height="1">';
const trackedUrl = (destination: string) =>
  destination.includes('/unsubscribe')
    ? undefined
    : `https://mail.example/t/c/k1.${destination.length}`;

const rewrite = (html: string): string => rewriteHtml(html, { trackedUrl, beforeBodyEnd: pixel });

/** The same job with a tree: parse, change the links, append the pixel, write it all out again. */
function rewriteWithCheerio(html: string): string {
  const $ = load(html);
  for (const link of $('a[href], area[href]').toArray()) {
    const destination = URL.parse(link.attribs['href'] ?? '');
    const tracked = destination?.protocol === 'https:' && trackedUrl(destination.href);
    if (tracked) link.attribs['href'] = tracked;
  }
  $('body').append(pixel);
  return $.html();
}

/** How fast links are rewritten, against cheerio in the same rounds, and that no input is slow. */
export async function benchTrackingRewrite(): Promise<Row[]> {
  return [...sizes.map(againstCheerio), againstItself()];
}

function againstCheerio({ label, bytes, rounds }: (typeof sizes)[number]): Row {
  const html = receiptOf(bytes);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(millisecondsOf(() => rewrite(html)));
    theirs.push(millisecondsOf(() => rewriteWithCheerio(html)));
  }
  const speed = (times: readonly number[]) => Math.round(html.length / median(times) / 1_000);
  return atLeast(
    `Link rewriting, ${label}: throughput over cheerio's`,
    median(theirs) / median(ours),
    5,
    ` (${speed(ours)} and ${speed(theirs)} MB/s)`,
  );
}

/** The worst growth of the time per byte when a hostile input is ten times as long. */
function againstItself(): Row {
  const growths = hostile.map((text) => {
    const [short, long] = [100_000, 1_000_000].map((length) => {
      const html = text.repeat(length / text.length);
      return median(Array.from({ length: 9 }, () => millisecondsOf(() => rewrite(html))));
    });
    return { text, growth: (long ?? Number.NaN) / (short ?? Number.NaN) / 10 };
  });
  const worst = growths.reduce((one, other) => (other.growth > one.growth ? other : one));
  return atMost(
    'Link rewriting, hostile HTML: time per byte at 1 MB over 100 KB',
    worst.growth,
    3,
    ` (worst of ${hostile.length}: \`${worst.text}\`)`,
  );
}

/** A receipt with as many order lines as it takes. */
function receiptOf(bytes: number): string {
  const fixture = new URL('../shared/tracking/fixtures/receipt.html', import.meta.url);
  const receipt = readFileSync(fixture, 'utf8');
  const start = receipt.indexOf('<tr>\n            <td style="padding:12px 0;border-top:1px');
  const end = receipt.indexOf('</tr>', start) + '</tr>'.length;
  const line = receipt.slice(start, end);
  const isShort = bytes < receipt.length;
  const [head, foot] = isShort
    ? ['<table>', '</table>']
    : [receipt.slice(0, end), receipt.slice(end)];
  return head + line.repeat((bytes - head.length - foot.length) / line.length) + foot;
}

function millisecondsOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

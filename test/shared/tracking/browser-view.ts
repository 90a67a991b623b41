import { type CheerioAPI, load } from 'cheerio';
import * as z from 'zod';

const linksOf = ($: CheerioAPI) => $('a[href], area[href]').toArray();
const basesOf = ($: CheerioAPI) => $('base[href]').toArray();
type Element = ReturnType<typeof linksOf>[number];

/** Where parse5 found an attribute; its `endOffset` is wrong when the next follows without a space. */
const locationSchema = z.object({ attrs: z.object({ href: z.object({ startOffset: z.int() }) }) });

const attributeText = /[^\s/>=]+(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\t\n\f\r >]*))?/y;

/** A link as a browser has it in its document. */
export type BrowserLink = {
  /** Its value, character references decoded. */
  readonly href: string;
  /** Where the whole attribute stands in the source. */
  readonly source: { readonly start: number; readonly end: number };
  /** The http(s) URL that it leads out of the mail to, unless its author wants it untracked. */
  readonly destination: string | undefined;
};

/**
 * What a browser makes of an HTML document: parse5 builds its tree (by cheerio), without scripting as
 * in a mail client. It shares no code with what it judges: htmlparser2 is another parser.
 */
export function viewInBrowser(html: string) {
  const $ = load(html, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  const isHtml = ({ namespace }: Element) => namespace?.endsWith('xhtml');
  const base = basesOf($).find((element) => isShown(element) && isHtml(element));
  const baseUrl = baseUrlOf(base?.attribs['href']);

  const links = new Map<number, BrowserLink>();
  for (const element of linksOf($).filter(isShown)) {
    const location = locationSchema.safeParse(element.sourceCodeLocation).data?.attrs.href;
    // The tree may hold one link several times: HTML §13.2.6.4.7, adoption agency.
    if (location === undefined) continue;
    const start = location.startOffset;
    links.set(start, {
      href: element.attribs['href'] ?? '',
      source: { start, end: endOfAttribute(html, start) },
      destination: destinationOf(element, baseUrl),
    });
  }
  return {
    links: [...links.values()].sort((one, other) => one.source.start - other.source.start),
    images: $('img')
      .toArray()
      .filter(isShown)
      .map(({ attribs }) => attribs['src']),
  };
}

/** The content of a template is in another document: HTML §4.12.3. */
function isShown({ parent }: Pick<Element, 'parent'>): boolean {
  if (parent === null) return true;
  const isTemplate = 'name' in parent && parent.name === 'template';
  return !isTemplate && isShown(parent);
}

function endOfAttribute(html: string, start: number): number {
  attributeText.lastIndex = start;
  return start + (attributeText.exec(html)?.[0].length ?? 0);
}

/** A base that is relative, or of a scheme that cannot be one, is none: HTML §4.2.3. */
function baseUrlOf(href: string | undefined): string | undefined {
  const url = URL.parse(href ?? '');
  return url === null || ['data:', 'javascript:'].includes(url.protocol) ? undefined : url.href;
}

function destinationOf({ attribs }: Element, baseUrl: string | undefined): string | undefined {
  const href = attribs['href'] ?? '';
  const url = URL.parse(href, baseUrl);
  const isFragment = href.replace(/^[\0- ]*/, '').startsWith('#');
  const isUntracked = attribs['data-track']?.toLowerCase() === 'false';
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  return isWeb && !isFragment && !isUntracked ? url.href : undefined;
}

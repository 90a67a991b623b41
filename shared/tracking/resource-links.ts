import type { StartTag } from './html-tag.ts';
import { OpenElements } from './open-elements.ts';
import { applySplices, type Splice } from './rewrite-html.ts';
import { TagReader } from './tag-reader.ts';

/**
 * The page without `<link>` and `srcdoc`: `<link rel="preconnect">` connects to its host whatever the page's
 * Content-Security-Policy says, also within a frame's document. A `<basefont>` does nothing, and is parsed as a
 * `<link>` is (HTML §13.2.6.4.4), so everything else keeps its place.
 */
export function withoutResourceLinks(page: string): string {
  const openElements = new OpenElements();
  const splices: Splice[] = [];
  const reader = new TagReader(page, {
    isForeign: () => openElements.isForeign(),
    hasAttributes: (name) => name === 'iframe',
    onStartTag: (tag) => {
      openElements.open(tag);
      splices.push(...splicesFor(tag));
    },
    onEndTag: (name) => openElements.close(name),
  });
  reader.read();
  return applySplices(page, splices);
}

function splicesFor({ name, start, attributes }: StartTag): Splice[] {
  if (name === 'link') {
    const at = start + '<'.length;
    return [{ start: at, end: at + name.length, text: 'basefont' }];
  }
  return attributes
    .filter((attribute) => attribute.name === 'srcdoc')
    .map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd, text: '' }));
}

import { isAscii, isUtf8 } from 'node:buffer';
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';

// Old programs send letters without naming their charset. Like mail readers, we take what isn't UTF-8 for this one.
const usual = 'windows-1252';

/** Parts without a charset get one. `us-ascii` often means only that nobody set another. */
export async function nameCharsets(
  chunks: readonly SplitterChunk[],
  words: readonly MimeNode[],
): Promise<void> {
  const bodies = bodiesIn(chunks);
  for (const node of words) {
    if (node.charset !== false && !ascii.test(node.charset)) continue;
    const decoder = node.getDecoder();
    decoder.end(Buffer.concat(bodies.get(node) ?? []));
    const bytes = Buffer.concat(await decoder.toArray());
    if (!isAscii(bytes)) node.setCharset(isUtf8(bytes) ? 'utf-8' : usual);
  }
}

const ascii = /^(?:(?:us-?)?ascii|ansi_x3\.4-1968)$/i;

function bodiesIn(chunks: readonly SplitterChunk[]): ReadonlyMap<MimeNode, readonly Buffer[]> {
  const bodies = new Map<MimeNode, Buffer[]>();
  let body: Buffer[] = [];
  for (const chunk of chunks) {
    if (chunk.type === 'node') {
      body = [];
      bodies.set(chunk, body);
    } else if (chunk.type === 'body') {
      body.push(chunk.value);
    }
  }
  return bodies;
}

/** @param charset the words', which those of the headers probably share */
export function decodeHeaders({ headers }: MimeNode, charset: string | undefined): void {
  if (headers === false) return;
  for (const header of headers.getList()) {
    const bytes = Buffer.from(header.line, 'latin1');
    if (isUtf8(bytes)) continue;
    header.line = Buffer.from(decoderOf(charset).decode(bytes)).toString('latin1');
    headers.changed = true;
  }
}

function decoderOf(charset: string | undefined) {
  try {
    const decoder = new TextDecoder(charset);
    if (!decoder.encoding.startsWith('utf-')) return decoder;
  } catch {
    // Unknown.
  }
  return new TextDecoder(usual);
}

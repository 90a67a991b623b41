import { isAscii, isUtf8 } from 'node:buffer';
import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit';
import { type ParsedMail, simpleParser } from 'mailparser';

const division = { maxChildNodes: 200, maxHeadSize: 256 * 1024, ignoreEmbedded: true };

/** `undefined` if it isn't MIME, or has more parts than any email needs. */
export async function parseMessage(raw: Buffer): Promise<ParsedMail | undefined> {
  try {
    const chunks = await split(raw);
    const nodes = chunks.filter((chunk) => chunk.type === 'node');
    const files = nodes.filter(isFile);
    const bodyParts = nodes.filter(isBody);
    const { textJoinsHtml, textLacksHtml } = compare(bodyParts);
    for (const node of files) attach(node);
    await nameCharsets(chunks, bodyParts);
    const charset = bodyParts.map((node) => node.charset).find((named) => named !== false);
    for (const node of nodes) decodeHeaders(node, charset);
    const { text, ...mail } = await simpleParser(
      nodes.some(isChanged) ? Buffer.concat(chunks.map(bytesOf)) : raw,
      {
        ...division,
        keepDeliveryStatus: true,
        keepCidLinks: true,
        skipHtmlToText: true,
        // Slow.
        skipTextToHtml: !textJoinsHtml,
        skipTextLinks: true,
        checksumAlgo: false,
      },
    );
    return text === undefined || textLacksHtml ? mail : { ...mail, text };
  } catch {
    return undefined;
  }
}

async function split(raw: Buffer): Promise<readonly SplitterChunk[]> {
  const splitter = new Splitter(division);
  splitter.end(raw);
  return await splitter.toArray();
}

const isChanged = ({ headers }: MimeNode): boolean => headers !== false && headers.changed;

const bytesOf = (chunk: SplitterChunk): Buffer =>
  chunk.type === 'node' ? chunk.getHeaders() : chunk.value;

const isText = ({ contentType, disposition }: MimeNode): boolean =>
  (contentType === 'text/plain' || contentType === 'text/html') &&
  (disposition === false || disposition === 'inline');

/** Some programs give a file name to the body, too. */
const isBody = (node: MimeNode): boolean =>
  isText(node) && (node.filename === false || isWhereBodiesAre(node));

/** The parser would take it for the body. */
const isFile = (node: MimeNode): boolean => isText(node) && !isBody(node);

const alternative = 'multipart/alternative';

const isWhereBodiesAre = ({ parentNode, partNr }: MimeNode): boolean =>
  parentNode === false ||
  ((parentNode.contentType === alternative || (partNr && partNr.at(-1) === 1)) &&
    isWhereBodiesAre(parentNode));

function attach({ headers }: MimeNode): void {
  if (headers === false) return;
  const line = headers.getList().find(({ key }) => key === 'content-disposition');
  if (line === undefined) {
    headers.add('Content-Disposition', 'attachment');
  } else {
    line.line = line.line.replace(/inline/i, 'attachment');
    headers.changed = true;
  }
}

/**
 * Unless text and HTML are alternatives, the parser appends the text to the HTML, but not the HTML to the text. Without
 * a text, the service makes one from the complete HTML.
 */
function compare(bodyParts: readonly MimeNode[]) {
  const choicesOf = (type: string) =>
    bodyParts.filter(({ contentType }) => contentType === type).map(choiceOf);
  const [text, html] = [choicesOf('text/plain'), choicesOf('text/html')];
  return {
    textJoinsHtml: html.length > 0 && text.includes(undefined),
    textLacksHtml: html.some((choice) => choice === undefined || !text.includes(choice)),
  };
}

/** The `multipart/alternative` that contains it. */
function choiceOf({ parentNode }: MimeNode): MimeNode | undefined {
  if (parentNode === false) return undefined;
  return parentNode.contentType === alternative ? parentNode : choiceOf(parentNode);
}

// Old programs send non-ASCII text without a charset. Like mail programs, we assume this one if it isn't UTF-8.
const usual = 'windows-1252';

/** Sets the charset of parts without one. `us-ascii` is often just a program's default. */
async function nameCharsets(
  chunks: readonly SplitterChunk[],
  bodyParts: readonly MimeNode[],
): Promise<void> {
  const bodies = bodiesIn(chunks);
  for (const node of bodyParts) {
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

/** @param charset the body's, which the headers probably share */
function decodeHeaders({ headers }: MimeNode, charset: string | undefined): void {
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

import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit';
import { type ParsedMail, simpleParser } from 'mailparser';
import { decodeHeaders, nameCharsets } from './charsets.ts';

const division = { maxChildNodes: 200, maxHeadSize: 256 * 1024, ignoreEmbedded: true };

/** `undefined` if it isn't MIME, or has more parts than any email needs. */
export async function parseMessage(raw: Buffer): Promise<ParsedMail | undefined> {
  try {
    const chunks = await split(raw);
    const nodes = chunks.filter((chunk) => chunk.type === 'node');
    const files = nodes.filter(isFile);
    const words = nodes.filter(isWords);
    const { textJoinsHtml, textLacksHtml } = compare(words);
    for (const node of files) attach(node);
    await nameCharsets(chunks, words);
    const charset = words.map((node) => node.charset).find((named) => named !== false);
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

/** Some programs name the words of an email, too. */
const isWords = (node: MimeNode): boolean =>
  isText(node) && (node.filename === false || isWhereWordsAre(node));

/** The parser would take it for words. */
const isFile = (node: MimeNode): boolean => isText(node) && !isWords(node);

const alternative = 'multipart/alternative';

const isWhereWordsAre = ({ parentNode, partNr }: MimeNode): boolean =>
  parentNode === false ||
  ((parentNode.contentType === alternative || (partNr && partNr.at(-1) === 1)) &&
    isWhereWordsAre(parentNode));

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
 * The parser adds a text to the HTML unless they are alternatives, but not the other way around. Without a text, the
 * service makes one of the whole HTML.
 */
function compare(words: readonly MimeNode[]) {
  const choicesOf = (type: string) =>
    words.filter(({ contentType }) => contentType === type).map(choiceOf);
  const [text, html] = [choicesOf('text/plain'), choicesOf('text/html')];
  return {
    textJoinsHtml: html.length > 0 && text.includes(undefined),
    textLacksHtml: html.some((choice) => choice === undefined || !text.includes(choice)),
  };
}

/** The alternatives that it's among. */
function choiceOf({ parentNode }: MimeNode): MimeNode | undefined {
  if (parentNode === false) return undefined;
  return parentNode.contentType === alternative ? parentNode : choiceOf(parentNode);
}

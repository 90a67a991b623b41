import { nothingElse } from '#shared/errors/nothing-else';
import type { SendOptions } from '#shared/sending/send-options';

// What the console and the command line say of a send in the same words.

type Pairs = Readonly<Record<string, string | undefined>>;

/** As in an answer of any version. */
type Options = {
  readonly replyTo?: readonly string[] | undefined;
  readonly headers?: Pairs | undefined;
  readonly tags?: Pairs | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly untracked?:
    | { readonly opens?: string | undefined; readonly clicks?: string | undefined }
    | undefined;
};
type Undecided = Exclude<keyof SendOptions, keyof Options | 'tracking'>;
nothingElse({} satisfies Record<Undecided, never>);

/** A send's options besides recipients and words. `untracked` covers `tracking`. */
export function optionFacts({
  replyTo = [],
  headers = {},
  tags = {},
  metadata,
  untracked: { opens, clicks } = {},
}: Options): (readonly [name: string, texts: readonly string[]])[] {
  const untracked = [
    ...(opens ? [`opens (by the ${opens})`] : []),
    ...(clicks ? [`clicks (by the ${clicks})`] : []),
  ];
  const facts = [
    ['Reply-To', replyTo],
    ['Tags', pairs(tags, ':')],
    ['Headers', pairs(headers, ': ')],
    ['Metadata', metadata ? [JSON.stringify(metadata)] : []],
    ['Not tracked', untracked],
  ] as const;
  return facts.filter(([, texts]) => texts.length > 0);
}

const pairs = (record: Pairs, between: string): string[] =>
  Object.entries(record).map((pair) => pair.join(between));

type Attached = {
  readonly attachmentCount?: number | undefined;
  readonly attachmentBytes?: number | undefined;
};

/** Such as `2 attachments, 1.2 MB`; `undefined` for none. */
export function attachmentsText({
  attachmentCount: count = 0,
  attachmentBytes: bytes = 0,
}: Attached): string | undefined {
  if (count === 0) return undefined;
  return `${count === 1 ? '1 attachment' : `${count} attachments`}, ${sizeText(bytes)}`;
}

/** In the unit a person would choose, with megabytes as the limit of attachments counts them. */
function sizeText(bytes: number): string {
  if (bytes < kilobyte) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilobytes = Math.round(bytes / kilobyte);
  if (kilobytes < 1_000) return `${kilobytes} KB`;
  return `${Math.round((10 * bytes) / kilobyte ** 2) / 10} MB`;
}

const kilobyte = 1_024;

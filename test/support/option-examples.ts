import type { EmailHeader } from '#shared/email/email-provider';
import type { SendOptions } from '#shared/sending/send-options';

type Example = {
  /** As a request gives it, and as answers show it. */
  readonly given: unknown;
  /** What makes it another request. */
  readonly other: unknown;
  /** Whether webhooks repeat it. */
  readonly isReported: boolean;
  /** How the console and the command line show it: see `send-facts.ts`. */
  readonly fact?: readonly [name: string, texts: readonly string[]];
  /** What it adds to the email's headers. */
  readonly headers?: readonly EmailHeader[];
  /** Words of it that the email must not contain. */
  readonly unsent?: string;
};

/** An option that isn't here doesn't compile: tests check each by these. */
const examples = {
  replyTo: {
    given: ['Help <help@example.com>', 'desk@example.com'],
    other: 'other@example.com',
    isReported: false,
    fact: ['Reply-To', ['Help <help@example.com>', 'desk@example.com']],
  },
  headers: {
    given: { 'X-Entity-Ref-ID': '42' },
    other: { 'X-Entity-Ref-ID': '43' },
    isReported: false,
    fact: ['Headers', ['X-Entity-Ref-ID: 42']],
    headers: [{ name: 'X-Entity-Ref-ID', value: '42' }],
  },
  tags: {
    given: { kind: 'parcel' },
    other: { kind: 'reset' },
    isReported: true,
    fact: ['Tags', ['kind:parcel']],
    unsent: 'parcel',
  },
  metadata: {
    given: { order: 'A-7' },
    other: {},
    isReported: true,
    fact: ['Metadata', ['{"order":"A-7"}']],
    unsent: 'A-7',
  },
  tracking: { given: { opens: false, clicks: false }, other: undefined, isReported: false },
} as const satisfies Record<keyof SendOptions, Example>;

const all = Object.entries<Example>(examples);

export const givenOptions = Object.fromEntries(all.map(([name, { given }]) => [name, given]));

/** Each option, with what makes it another request. */
export const otherOptions = all.map(([name, { other }]) => [name, other] as const);

export const reportedOptions = Object.fromEntries(
  all.flatMap(([name, { given, isReported }]) => (isReported ? [[name, given]] : [])),
);

export const factsOfExamples = all.flatMap(([, { fact }]) => (fact ? [fact] : []));

export const unsentWords = all.flatMap(([, { unsent }]) => unsent ?? []);

export const headersOfExamples = all.flatMap(([, { headers = [] }]) => headers);

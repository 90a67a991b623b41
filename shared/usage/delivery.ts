import * as z from 'zod/mini';
import { type Change, moment, text } from './stream-record.ts';

export type StreamedDelivery = {
  readonly at: number;
  /** From SES's acceptance, measured with SES's clock and ours, so at least 0. */
  readonly tookMs: number;
  /** The receiving domain. Absent if recipients are at several domains, or were erased. */
  readonly domain: string | undefined;
};

export function readDelivery({
  NewImage,
  OldImage,
}: Pick<Change, 'NewImage' | 'OldImage'>): StreamedDelivery | undefined {
  const send = deliveredSchema.safeParse(NewImage).data;
  const isOfEarlierMessage = NewImage?.['deliveredOf'] !== undefined;
  if (send === undefined || isOfEarlierMessage || OldImage?.['deliveredAt'] !== undefined) {
    return undefined;
  }
  const { deliveredAt, sentAt, toEmail, moreTo = [], cc = [], bcc = [] } = send;
  const [domain, ...others] = new Set([toEmail, ...moreTo, ...cc, ...bcc].map(domainOf));
  return {
    at: deliveredAt,
    tookMs: Math.max(0, deliveredAt - sentAt),
    domain: others.length === 0 ? domain : undefined,
  };
}

/** Erased addresses have none. */
const domainOf = (address: string): string | undefined =>
  /@([^@]+)$/.exec(address)?.[1]?.toLowerCase();

const texts = z.optional(
  z.pipe(
    z.object({ L: z.array(text) }),
    z.transform(({ L }) => L),
  ),
);
const deliveredSchema = z.object({
  deliveredAt: moment,
  sentAt: moment,
  toEmail: text,
  moreTo: texts,
  cc: texts,
  bcc: texts,
});

import * as z from 'zod/mini';

export type StreamedDelivery = {
  readonly at: number;
  /** From SES's acceptance, measured with SES's clock and ours, so at least 0. */
  readonly tookMs: number;
  /** The receiving domain. Absent if recipients are at several domains, or were erased. */
  readonly domain: string | undefined;
};

type Item = Readonly<Record<string, unknown>>;

export function readDelivery({
  NewImage,
  OldImage,
}: {
  readonly NewImage?: Item | undefined;
  readonly OldImage?: Item | undefined;
}): StreamedDelivery | undefined {
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

const text = z.pipe(
  z.object({ S: z.string() }),
  z.transform(({ S }) => S),
);
const texts = z.optional(
  z.pipe(
    z.object({ L: z.array(text) }),
    z.transform(({ L }) => L),
  ),
);
const moment = z.pipe(
  z.pipe(
    z.object({ N: z.string() }),
    z.transform(({ N }) => Number(N)),
  ),
  z.int().check(z.nonnegative(), z.lte(253_402_300_799_999)),
);

const deliveredSchema = z.object({
  deliveredAt: moment,
  sentAt: moment,
  toEmail: text,
  moreTo: texts,
  cc: texts,
  bcc: texts,
});

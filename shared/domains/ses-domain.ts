import * as z from 'zod/mini';

export const dkimStatuses = [
  'NOT_STARTED',
  'PENDING',
  'SUCCESS',
  'TEMPORARY_FAILURE',
  'FAILED',
  // Ours, for a word that SES has added since.
  'UNKNOWN',
] as const;
export type DkimStatus = (typeof dkimStatuses)[number];

/** SES's answers are stored, and stored items must be readable: any other word becomes `UNKNOWN`. */
export const dkimStatusOf = (word: string): DkimStatus =>
  dkimStatuses.find((status) => status === word) ?? 'UNKNOWN';

export const sesDomainSchema = z.object({
  ownerId: z.optional(z.string()),
  dkim: z.object({
    status: z.enum(dkimStatuses),
    tokens: z.array(z.string()),
    hostedZone: z.string(),
  }),
  mailFrom: z.optional(z.object({ domain: z.string(), status: z.enum(dkimStatuses) })),
  /** Whether SES emails bounces to the sender, with the recipient's address. */
  forwardsBounces: z.boolean(),
  /** Such as `HOST_NOT_FOUND`. */
  errorType: z.optional(z.string()),
});
export type SesDomain = Readonly<z.infer<typeof sesDomainSchema>>;

/** SES has stopped looking for the records, so verification must start over. */
export const hasStopped = ({ dkim }: SesDomain): boolean =>
  dkim.status === 'FAILED' || dkim.status === 'NOT_STARTED';

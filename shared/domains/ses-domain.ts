import * as z from 'zod/mini';

/** SES's own words for how far it has come with DKIM, and with the MAIL FROM domain. */
export const dkimStatuses = [
  'NOT_STARTED',
  'PENDING',
  'SUCCESS',
  'TEMPORARY_FAILURE',
  'FAILED',
] as const;
export type DkimStatus = (typeof dkimStatuses)[number];

/** A domain as SES has it. */
export const sesDomainSchema = z.object({
  /** The organization that its tag names; `undefined` without a tag. */
  ownerId: z.optional(z.string()),
  dkim: z.object({
    status: z.enum(dkimStatuses),
    tokens: z.array(z.string()),
    hostedZone: z.string(),
  }),
  mailFrom: z.optional(z.object({ domain: z.string(), status: z.enum(dkimStatuses) })),
  /** Whether SES emails each bounce and complaint, with the recipient's address, to the sender. */
  forwardsBounces: z.boolean(),
  /** SES's name for why it could not verify the domain, for example `HOST_NOT_FOUND`. */
  errorType: z.optional(z.string()),
});
export type SesDomain = Readonly<z.infer<typeof sesDomainSchema>>;

/** Whether SES has stopped looking for the records, so that verification has to start over. */
export const hasStopped = ({ dkim }: SesDomain): boolean =>
  dkim.status === 'FAILED' || dkim.status === 'NOT_STARTED';

import * as z from 'zod';

const addresses = z.array(z.string()).default([]);

/** The part of a SESv2 `SendEmail` request that its events repeat. */
export const sendEmailRequest = z.object({
  FromEmailAddress: z.string().default(''),
  Destination: z
    .object({ ToAddresses: addresses, CcAddresses: addresses, BccAddresses: addresses })
    .prefault({}),
  ReplyToAddresses: addresses,
  Content: z.object({
    Simple: z
      .object({
        Subject: z.object({ Data: z.string() }),
        Headers: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
      })
      .optional(),
  }),
  EmailTags: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
  ConfigurationSetName: z.string().optional(),
  TenantName: z.string().optional(),
});

/** An email that SES took. */
export type SentEmail = {
  readonly request: z.output<typeof sendEmailRequest>;
  readonly messageId: string;
  readonly sentAt: Date;
};

/** Everyone it went to, in the order to, cc, bcc, as written by the sender. */
export function recipientsOf({ request: { Destination } }: SentEmail): string[] {
  return [...Destination.ToAddresses, ...Destination.CcAddresses, ...Destination.BccAddresses];
}

/** `ann@example.com` of `Ann <ann@example.com>`. */
export const bareAddress = (address: string): string =>
  /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();

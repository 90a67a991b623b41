import * as z from 'zod';

const addresses = z.array(z.string()).default([]);

/** The part of the request that events repeat. */
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

export type SentEmail = {
  readonly request: z.output<typeof sendEmailRequest>;
  readonly messageId: string;
  readonly sentAt: Date;
};

/** In the order to, cc, bcc, as the sender wrote them. */
export function recipientsOf({ request: { Destination } }: SentEmail): string[] {
  return [...Destination.ToAddresses, ...Destination.CcAddresses, ...Destination.BccAddresses];
}

export const bareAddress = (address: string): string =>
  /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address.trim();

type Header = { readonly name: string; readonly value: string };

export type SesMail = {
  readonly timestamp: string;
  readonly source: string;
  readonly sourceArn: string;
  readonly sendingAccountId: string;
  readonly messageId: string;
  readonly destination: readonly string[];
  readonly headersTruncated: boolean;
  readonly headers: readonly Header[];
  readonly commonHeaders: {
    readonly from: readonly string[];
    readonly to: readonly string[];
    readonly cc?: readonly string[];
    readonly replyTo?: readonly string[];
    readonly messageId: string;
    readonly subject?: string;
  };
  readonly tags: Readonly<Record<string, readonly string[]>>;
};

const account = '000000000000';

/** SES guide, "Contents of event data that Amazon SES publishes to Amazon SNS": mail object. */
export function buildSesMail(email: SentEmail): SesMail {
  const { request, messageId, sentAt } = email;
  const { FromEmailAddress: from, Destination, ReplyToAddresses: replyTo } = request;
  const subject = request.Content.Simple?.Subject.Data;
  return {
    timestamp: sentAt.toISOString(),
    source: from,
    sourceArn: `arn:aws:ses:us-east-1:${account}:identity/${domainOf(from)}`,
    sendingAccountId: account,
    messageId,
    destination: recipientsOf(email),
    headersTruncated: false,
    headers: headersOf(email),
    commonHeaders: {
      from: [from],
      to: Destination.ToAddresses,
      ...(Destination.CcAddresses.length > 0 && { cc: Destination.CcAddresses }),
      ...(replyTo.length > 0 && { replyTo }),
      messageId,
      ...(subject !== undefined && { subject }),
    },
    tags: tagsOf(email),
  };
}

function headersOf({ request }: SentEmail): Header[] {
  const { Destination, Content, ReplyToAddresses: replyTo } = request;
  const cc = Destination.CcAddresses;
  return [
    { name: 'From', value: request.FromEmailAddress },
    ...(replyTo.length > 0 ? [{ name: 'Reply-To', value: replyTo.join(', ') }] : []),
    { name: 'To', value: Destination.ToAddresses.join(', ') },
    ...(cc.length > 0 ? [{ name: 'Cc', value: cc.join(', ') }] : []),
    ...(Content.Simple ? [{ name: 'Subject', value: Content.Simple.Subject.Data }] : []),
    { name: 'MIME-Version', value: '1.0' },
    ...(Content.Simple?.Headers ?? []).map(({ Name, Value }) => ({ name: Name, value: Value })),
    { name: 'Feedback-ID', value: feedbackIdHeader(request.EmailTags) },
  ];
}

/** SES puts the tags `ses:feedback-id-a` and `-b` before its own two fields. */
function feedbackIdHeader(tags: SentEmail['request']['EmailTags']): string {
  const tagValue = (name: string) => tags.find((tag) => tag.Name === name)?.Value ?? '';
  const custom = [tagValue('ses:feedback-id-a'), tagValue('ses:feedback-id-b')];
  return [...custom, '1.us-east-1.local', 'AmazonSES'].join(':');
}

function tagsOf({ request }: SentEmail): Record<string, string[]> {
  const tags: Record<string, string[]> = {
    'ses:configuration-set': [request.ConfigurationSetName ?? ''],
    'ses:source-ip': ['127.0.0.1'],
    'ses:from-domain': [domainOf(request.FromEmailAddress)],
    'ses:caller-identity': ['local-twin'],
  };
  for (const { Name, Value } of request.EmailTags) tags[Name] = [...(tags[Name] ?? []), Value];
  return tags;
}

const domainOf = (address: string): string => bareAddress(address).split('@').at(-1) ?? '';

import * as z from 'zod/mini';

// SES's events in SES's own words. `ses-event.ts` says what they mean in ours.

const timestamp = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((text) => Date.parse(text)),
);

const mailSchema = z.object({
  timestamp,
  messageId: z.string().check(z.minLength(1)),
  destination: z._default(z.array(z.string()), []),
  tags: z._default(z.record(z.string(), z.array(z.string())), {}),
  headers: z._default(z.array(z.object({ name: z.string(), value: z.string() })), []),
});

const recipientsSchema = z.array(
  z.object({ emailAddress: z.string(), diagnosticCode: z.nullish(z.string()) }),
);

export type SesMail = z.output<typeof mailSchema>;
export type SesRecipients = z.output<typeof recipientsSchema>;

/** SES developer guide, "Contents of event data that Amazon SES publishes to Amazon SNS". */
export const sesEventSchema = z.discriminatedUnion('eventType', [
  z.object({ eventType: z.literal('Send'), mail: mailSchema }),
  z.object({
    eventType: z.literal('Delivery'),
    mail: mailSchema,
    delivery: z.object({ timestamp }),
  }),
  z.object({
    eventType: z.literal('Bounce'),
    mail: mailSchema,
    bounce: z.object({
      timestamp,
      bounceType: z.string(),
      bounceSubType: z.string(),
      bouncedRecipients: recipientsSchema,
    }),
  }),
  z.object({
    eventType: z.literal('Complaint'),
    mail: mailSchema,
    complaint: z.object({
      timestamp,
      complaintFeedbackType: z.nullish(z.string()),
      complaintSubType: z.nullish(z.string()),
      complainedRecipients: recipientsSchema,
    }),
  }),
  z.object({
    eventType: z.literal('Reject'),
    mail: mailSchema,
    reject: z.object({ reason: z.string() }),
  }),
  z.object({ eventType: z.literal('Open'), mail: mailSchema, open: z.object({ timestamp }) }),
  z.object({ eventType: z.literal('Click'), mail: mailSchema, click: z.object({ timestamp }) }),
]);
export type SesEvent = z.output<typeof sesEventSchema>;

export const anyEventSchema = z.object({ eventType: z.string() });

const { tags, headers, messageId } = mailSchema.shape;
/** What names the send of an event. Whatever else is wrong with it does no harm. */
export const namingEventSchema = z.object({
  eventType: z.catch(z.optional(z.string()), undefined),
  mail: z.object({
    messageId: z.catch(z.optional(messageId), undefined),
    tags: z.catch(tags, {}),
    headers: z.catch(headers, []),
  }),
});

/** Events of any other type, also of one that SES may add, are counted and not recorded. */
export const recordedTypes = new Set<string>(
  sesEventSchema.def.options.flatMap(({ shape }) => shape.eventType.def.values),
);

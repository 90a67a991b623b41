import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { toHealthView } from './health-view.ts';
import { attemptsOfSchedule, hoursOfSchedule, mostOwnAttempts } from './retry-delay.ts';
import { maxFilterValues, maxTagCharacters } from './webhook-fields.ts';

export const urlWords =
  'An `https://` URL with port 443 or any from 1024 up, without credentials or a fragment, and not on a private network.';

const inResend = { format: 'resend' } as const;

export const webhookWords = {
  tags: `With any, it gets only events of emails that have one of these tags, such as \`kind:reset\`. At most ${maxFilterValues}, together ${maxTagCharacters.toLocaleString('en')} characters.`,
  format:
    'With `resend`, it gets messages as Resend sends them: events by Resend’s names, bodies in Resend’s fields, and the headers `svix-id`, `svix-timestamp` and `svix-signature`. Without it, Standard Webhooks. `null` in a change removes it.',
  maxAttempts: `How often a delivery is attempted, at most ${mostOwnAttempts} times. By default ${attemptsOfSchedule({})}, unless the operator chose a different number; with format \`resend\` ${attemptsOfSchedule(inResend)}, within almost ${hoursOfSchedule(inResend)} hours. \`null\` in a change restores the default.`,
  paused: 'Whether nothing is attempted: events are recorded, and their deliveries wait.',
  templates: `With any, it gets only events of emails made from one of these templates. At most ${maxFilterValues}.`,
} as const;

export const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const exampleHealth = toHealthView({}, exampleTime);

export const exampleHealthOfDisabled = toHealthView(
  {
    disabled: { reason: 'gone', at: exampleTime },
    health: { since: exampleTime, exhausted: 1, delivered: 0 },
  },
  exampleTime,
);

export const exampleWebhook = {
  id: exampleIds.webhook,
  url: 'https://example.com/hooks/email',
  eventTypes: [],
  tags: [],
  templates: [],
  description: 'Orders',
  enabled: true,
  paused: false,
  maxAttempts: 5,
  health: exampleHealth,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

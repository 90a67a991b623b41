import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/** The health of an endpoint in the examples of the reference, while nothing is wrong. */
export const exampleHealth = {
  status: 'well',
  exhausted: 0,
  delivered: 0,
  exhaustedShare: 0,
  outlook: 'No delivery was given up lately. The endpoint stays enabled.',
} as const;

/** The health of one that is disabled. */
export const exampleHealthOfDisabled = {
  ...exampleHealth,
  status: 'disabled',
  failingSince: exampleTime,
  exhausted: 1,
  exhaustedShare: 1,
  outlook:
    'It answered 410 (Gone), so it gets no events. Enable it with PATCH {"enabled": true}. Redeliveries reach it also while disabled.',
} as const;

/** An endpoint in the examples of the reference, without its secret. It wants every event. */
export const exampleWebhook = {
  id: exampleIds.webhook,
  url: 'https://example.com/hooks/email',
  eventTypes: [],
  description: 'Orders',
  enabled: true,
  health: exampleHealth,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

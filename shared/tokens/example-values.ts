// Shared by the reference's examples. None of it exists.

const organization = 'n4c2wmiwi5xkqr3d';
const own = 'k7qf3zu2ol5hy6tb';
const slot = `${own}vd4x6mse`;

/** One id of each kind, all of one organization. */
export const exampleIds = {
  organization: `org_${organization}`,
  send: `snd_${organization}${slot}${own}`,
  feedback: `fbk_${organization}${slot}${own}`,
  apiKey: `key_${organization}${own}`,
  apiKeyText: `esk_${organization}${own}_${own}${own}m3kdq5za`,
  contact: `con_${organization}${own}`,
  webhook: `whk_${organization}${own}`,
  webhookMessage: `msg_${organization}${own}`,
  delivery: `dlv_${organization}s${slot}${own}${own}`,
  template: `tpl_${organization}${own}`,
  upload: `upl_${organization}${own}aarfkq`,
  session: `ses_${organization}${own}`,
  auditEntry: `aud_${organization}${own}`,
} as const;

/** The body of a webhook's request. */
export const examplePayload = `{"type":"email.bounced","timestamp":"2026-11-21T09:00:00.000Z","data":{"sendId":"${exampleIds.send}","to":"ann@example.com"}}`;

/** A template's content hash. */
export const exampleHash = 'q7W0mVx1yJcN5pZkT3sB8uDfGhLrEaXo2iY4w6CvQnM';

/** 21 November 2026, 9:00 UTC. */
export const exampleTime = Date.UTC(2026, 10, 21, 9);

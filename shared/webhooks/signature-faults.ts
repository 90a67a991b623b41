import * as z from 'zod/mini';

/** Standard Webhooks libraries refuse messages older than this, or this far ahead ("Verifying webhooks"). */
export const toleranceSeconds = 300;

const tolerance = `${toleranceSeconds / 60} minutes`;

/** Each fault has one remedy. */
export const signatureFaults = {
  body_reprinted:
    'The signature matches this body with different white space, escapes or key order: something parsed the body and serialized it again. Verify the raw bytes of the request, before a framework parses them.',
  trailing_newline:
    'The signature matches the body with a different end: a line break was added or removed. Verify the raw bytes of the request.',
  body_changed:
    'This is not the body that was sent under this webhook-id: its values differ. Verify the raw bytes of the request, and give the headers of the same request.',
  secret_with_prefix:
    'The signature matches a key that includes whsec_. The key is the part after whsec_, decoded from base64.',
  secret_not_decoded:
    'The signature matches the text of the secret as its key. The key is the part after whsec_, decoded from base64.',
  old_secret:
    'The signature matches a secret from before the last rotation, which no longer signs. Give your receiver the secret from the answer to the rotation.',
  signed_text:
    'The signature matches a different text. Sign webhook-id, webhook-timestamp and body, joined by dots: <id>.<timestamp>.<body>',
  timestamp_form:
    'The signature matches the timestamp in seconds. Use the header webhook-timestamp unchanged: whole seconds since 1970.',
  signature_form:
    'The signature is right, but in a different form. It is base64. In the header, each signature follows v1, and a space separates them. Compare base64 with base64.',
  old_timestamp: `The signature matches, but its timestamp is more than ${tolerance} old by the clock of this service. Receivers refuse old messages to prevent replays. If yours refused this one on arrival, set its clock. If it verifies messages later, verify them on arrival.`,
  future_timestamp: `The signature matches, but its timestamp is more than ${tolerance} ahead, which receivers refuse. Use the header webhook-timestamp unchanged.`,
  header_names:
    'The headers have the wrong names. They are webhook-id, webhook-timestamp and webhook-signature, in upper or lower case; of an endpoint of format resend, svix-id, svix-timestamp and svix-signature.',
  wrong_id:
    'whk_… is the id of the endpoint. The signature covers the id of the message, from the header webhook-id: msg_…',
  unknown:
    'No common mistake explains this signature. Does the secret belong to this endpoint and this deployment, and has no rotation without overlap replaced it? Do the payload and headers belong to the same request?',
} as const;

export type SignatureFault = keyof typeof signatureFaults;

const isFault = (code: string): code is SignatureFault => Object.hasOwn(signatureFaults, code);

export const signatureFaultSchema = z.enum(Object.keys(signatureFaults).filter(isFault));

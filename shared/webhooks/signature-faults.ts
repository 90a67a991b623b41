import * as z from 'zod/mini';

/** Why a signature that a receiver computed, or was sent, does not fit. Each has one remedy. */
export const signatureFaults = {
  body_reprinted:
    'The signature fits this body printed in another way: white space, escapes or the order of the keys differ. Something has parsed the body and printed it again. Verify the raw bytes of the request, before a framework parses them.',
  trailing_newline:
    'The signature fits the body with another end: a line break was added or cut off. Verify the raw bytes of the request.',
  body_changed:
    'This is not the body that was sent under this webhook-id: its values differ. Verify the raw bytes of the request, and give the headers of the same request.',
  secret_with_prefix:
    'The signature fits a key that includes whsec_. The key is what follows whsec_, decoded from base64.',
  secret_not_decoded:
    'The signature fits a key that is the text of the secret. The key is what follows whsec_, decoded from base64.',
  old_secret:
    'The signature fits a secret of before the last rotation, which signs no more. Give your receiver the secret that the rotation answered.',
  signed_text:
    'The signature fits another text. Sign webhook-id, webhook-timestamp and body, joined by dots: <id>.<timestamp>.<body>',
  timestamp_form:
    'The signature fits the timestamp in seconds. Use the header webhook-timestamp as it is: whole seconds since 1970.',
  signature_form:
    'The value is right and written in another way. It is base64, and in the header each signature stands after v1, and a space divides several. Compare base64 with base64.',
  old_timestamp:
    'The signature fits, and its timestamp is more than five minutes old by the clock of this service. Receivers refuse that, against replays. If yours refused the message as it arrived, set its clock; if it verifies later, verify on arrival.',
  future_timestamp:
    'The signature fits, and its timestamp is more than five minutes ahead. Receivers refuse that. Use the header webhook-timestamp as it is.',
  header_names:
    'The headers have other names. They are webhook-id, webhook-timestamp and webhook-signature, in any case.',
  wrong_id:
    'whk_… is the id of the endpoint. What is signed is the header webhook-id, the id of the message: msg_…',
  unknown:
    'No usual mistake explains this signature. Is the secret that of this endpoint and this deployment, and not one that a rotation without overlap has replaced? Are payload and headers of the same request?',
} as const;

export type SignatureFault = keyof typeof signatureFaults;

const isFault = (code: string): code is SignatureFault => Object.hasOwn(signatureFaults, code);

export const signatureFaultSchema = z.enum(Object.keys(signatureFaults).filter(isFault));

import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';
import { sendEndpoint } from '#shared/sending/send-endpoint';
import { openSending } from '#shared/sending/sending';
import { headersSchema, requestSchema, responseSchema } from './schema.ts';

// What it does is in `shared/sending/`: `send-endpoint.ts`, then `send-email.ts`.

const sending = openSending(parseEnvironment(sendingEnvironment));
const schemas = { headersSchema, requestSchema, responseSchema };

export const handler = sendEndpoint('send-global', schemas, sending);

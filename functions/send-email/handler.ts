import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';
import { sendEndpoint } from '#shared/sending/send-endpoint';
import { openSending } from '#shared/sending/sending';
import { endpoint } from './endpoint.ts';

const sending = openSending(parseEnvironment(sendingEnvironment));

export const handler = sendEndpoint(endpoint, 'send', sending);

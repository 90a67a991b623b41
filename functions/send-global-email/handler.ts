import { parseEnvironment } from '#shared/config/environment';
import { sendingEnvironment } from '#shared/config/sending-environment';
import { sendEndpoint } from '#shared/sending/send-endpoint';
import { openSending } from '#shared/sending/sending';

const sending = openSending(parseEnvironment(sendingEnvironment));

export const handler = sendEndpoint('send-global', sending);

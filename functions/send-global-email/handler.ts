import { parseEnvironment } from '#shared/config/environment';
import { sendingEnvironment } from '#shared/config/sending-environment';
import { sendEndpoint } from '#shared/http/send-endpoint';
import { createSendDependencies } from '#shared/sending/sending-dependencies';

const dependencies = createSendDependencies(parseEnvironment(sendingEnvironment));

export const handler = sendEndpoint('send-global', dependencies);

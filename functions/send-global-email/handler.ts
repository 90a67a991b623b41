import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';
import { sendEndpoint } from '#shared/http/send-endpoint';
import { createSendDependencies } from '#shared/sending/sending-dependencies';

const dependencies = createSendDependencies(parseEnvironment(sendingEnvironment));

export const handler = sendEndpoint('send-global', dependencies);

import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { openSending } from '#shared/sending/sending';
import { answerBatch } from './answer-batch.ts';
import { endpoint } from './endpoint.ts';

const sending = openSending(parseEnvironment(sendingEnvironment));

export const handler = serveUnadmitted(endpoint, sending, answerBatch);

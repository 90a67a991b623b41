import { sendEndpoint } from '#shared/sending/send-endpoint';
import { endpoint } from './endpoint.ts';

export const handler = sendEndpoint(endpoint, 'send');

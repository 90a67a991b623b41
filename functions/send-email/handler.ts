import { serveSend } from '#shared/sending/serve-send';
import { endpoint } from './endpoint.ts';

export const handler = serveSend(endpoint, 'send');

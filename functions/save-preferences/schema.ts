import * as z from 'zod/mini';
import { htmlPage } from '#shared/http/response-body';
import { preferencesFormSchema } from '#shared/pages/preferences-form';

/** Query of POST /preferences: the token of the link. */
export const querySchema = z.object({ token: z.optional(z.string()) });

/** The form of the page. */
export const requestSchema = preferencesFormSchema;

/** Response 200: the page again, with what is stored. */
export const responseSchema = htmlPage;

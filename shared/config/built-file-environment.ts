import * as z from 'zod/mini';

/** Environment of the functions that serve a file which was made together with them. */
export const builtFileEnvironment = z.object({
  BUILT_FILES_FOLDER: z.string().check(z.minLength(1)),
});

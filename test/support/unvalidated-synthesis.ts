/**
 * For a synthesis without CDK's own validation of templates, which is two fifths of its work: of the service's
 * templates, `nag-checks.test.ts` and `npm run synth` have it.
 */
export const unvalidated = { CDK_VALIDATION: 'false' };

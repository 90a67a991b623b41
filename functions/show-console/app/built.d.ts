/** `package.json`'s version and `CHANGELOG.md`, which `infra/console/build-console.ts` puts in. */
declare const VERSION: string;
declare const CHANGELOG: string;

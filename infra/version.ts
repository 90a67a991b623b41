import packageJson from '../package.json' with { type: 'json' };

/** The version of the deployment, the command line and the changelog. */
export const serviceVersion: string = packageJson.version;

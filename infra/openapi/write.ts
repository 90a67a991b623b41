import { writeFileSync } from 'node:fs';
import { describeService } from './describe-service.ts';
import { routedEndpoints } from './endpoints.ts';
import { nameSchemas } from './name-schemas.ts';

const description = nameSchemas(describeService(routedEndpoints));
const files = process.argv.slice(2);
if (files.length === 0) console.log(JSON.stringify(description, null, 2));
for (const file of files) writeFileSync(file, JSON.stringify(description));

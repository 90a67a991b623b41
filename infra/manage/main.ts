import { runManage } from './program.ts';
import { openSurroundings } from './surroundings.ts';

process.exitCode = await runManage(process.argv.slice(2), openSurroundings());

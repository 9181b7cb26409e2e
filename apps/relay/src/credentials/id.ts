export { newId } from '@tabletop-relay/database';

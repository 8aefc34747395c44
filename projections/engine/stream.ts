/** The id in a stream's name `{category}-{schoolId}.{id}`. */
export const idIn = (stream: string): string => stream.slice(stream.indexOf('.') + 1);

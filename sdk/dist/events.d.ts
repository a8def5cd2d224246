import type { EventObjects, EventsFilters } from "./contract.ts";
import { type ExportOptions } from "./export.ts";
import { type List, type PageOptions } from "./list.ts";
import { type Send } from "./send.ts";
export type EventType = Exclude<keyof EventObjects, "webhook.test">;
/** An event of the log. Compare `type` and `data.object` has the type that goes with it. */
export type MostradorEvent = {
    [Type in EventType]: {
        object: "event";
        id: string;
        type: Type;
        created_at: string;
        data: {
            object: EventObjects[Type];
        };
    };
}[EventType];
export type EventFilters = Omit<EventsFilters, "type"> & {
    type?: EventType | EventType[] | undefined;
};
export interface FollowOptions {
    /** Only these types. */
    type?: EventType | EventType[] | undefined;
    /** The `cursor` of the last page you have dealt with. Without it, the log is followed from `createdSince`, or from its start. */
    cursor?: string | undefined;
    createdSince?: string | Date | undefined;
    /** How long to wait at the end of the log before asking again: 1 s unless told otherwise. */
    everyMs?: number;
    signal?: AbortSignal | undefined;
}
export interface FollowedPage {
    events: MostradorEvent[];
    /** Save it once these events are dealt with: what follows is neither lost nor repeated. */
    cursor: string | null;
}
export interface Events {
    get(id: string): Promise<MostradorEvent>;
    list(filters?: EventFilters & PageOptions): List<MostradorEvent>;
    export(filters?: EventFilters & ExportOptions): AsyncIterable<MostradorEvent>;
    /** Follows the log for as long as you iterate, oldest first, waiting for what is yet to come. */
    follow(options?: FollowOptions): AsyncIterable<FollowedPage>;
}
export declare function events(send: Send): Events;

BEGIN TRANSACTION;
CREATE TABLE messages(
            row_id INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            position INTEGER,
            role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'tool', 'system')),
            text TEXT NOT NULL,
            sent TEXT,
            reasoning TEXT NOT NULL DEFAULT '',
            tool_call_id TEXT,
            tool_name TEXT,
            display_kind TEXT,
            display_metadata TEXT,
            created_at REAL NOT NULL,
            active INTEGER NOT NULL DEFAULT 1
        );
INSERT INTO "messages" VALUES(1,'20270115_080000_000001',1,'user','Where shall we go? 世界','{"role":"user","content":"Where shall we go? 世界"}','',NULL,NULL,NULL,'{"client_ref":"r1","reactions":[{"emoji":"😂","author":"agent","at":101.0}]}',101.0,1);
INSERT INTO "messages" VALUES(2,'20270115_080000_000001',2,'assistant','To the **sea**.','{"role":"assistant","content":"To the **sea**."}','',NULL,NULL,NULL,'{"reactions":[{"emoji":"👍🏽","author":"user","at":102.0}]}',102.0,1);
INSERT INTO "messages" VALUES(3,'20270115_080000_000001',3,'user','and back','[told]','',NULL,NULL,NULL,'{"notes":[{"row_id":2,"emoji":"👍🏽"}]}',103.0,1);
INSERT INTO "messages" VALUES(4,'20270115_080000_000002',1,'user','taken back',NULL,'',NULL,NULL,NULL,NULL,104.0,0);
INSERT INTO "messages" VALUES(5,'20270115_080000_000002',NULL,'user','waits',NULL,'',NULL,NULL,NULL,'{"_queued_prompt":true}',105.0,1);
CREATE TABLE operations(
            kind TEXT NOT NULL,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            op_id TEXT NOT NULL,
            result TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY(kind, session_id, op_id)
        ) WITHOUT ROWID;
INSERT INTO "operations" VALUES('prompt','20270115_080000_000001','r1','{"status":"streaming","user_row_id":1}',101.0);
CREATE TABLE sessions(
            id TEXT PRIMARY KEY NOT NULL,
            title TEXT NOT NULL,
            source TEXT NOT NULL,
            system_prompt TEXT NOT NULL,
            tools TEXT NOT NULL,
            created_at REAL NOT NULL,
            last_active REAL NOT NULL,
            running_row INTEGER
        );
INSERT INTO "sessions" VALUES('20270115_080000_000001','Plans ✈️','tui','{"role":"system","content":"You help."}','[]',100.0,120.0,NULL);
INSERT INTO "sessions" VALUES('20270115_080000_000002','','tui','','[]',100.0,110.0,4);
CREATE TABLE settings(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "settings" VALUES('reactions','user');
CREATE TABLE summaries(
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            until_position INTEGER NOT NULL,
            text TEXT NOT NULL,
            sent TEXT NOT NULL,
            created_at REAL NOT NULL,
            PRIMARY KEY(session_id, until_position)
        ) WITHOUT ROWID;
CREATE TABLE usage(
            session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            input INTEGER NOT NULL,
            output INTEGER NOT NULL,
            calls INTEGER NOT NULL,
            context_tokens INTEGER NOT NULL,
            context_bytes INTEGER NOT NULL
        ) WITHOUT ROWID;
INSERT INTO "usage" VALUES('20270115_080000_000001',10,20,1,30,100);
CREATE INDEX sessions_by_activity ON sessions(last_active);
CREATE UNIQUE INDEX messages_in_order ON messages(session_id, position);
CREATE INDEX messages_annotated ON messages(session_id)
            WHERE display_metadata IS NOT NULL;
CREATE INDEX operations_by_age ON operations(kind, at);
CREATE INDEX messages_said ON messages(session_id, position) WHERE active = 1 AND role IN ('user', 'assistant') AND text != '';
COMMIT;
PRAGMA user_version = 3;

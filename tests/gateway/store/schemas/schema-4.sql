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
CREATE TABLE session_counts(session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, said INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "session_counts" VALUES('20270115_080000_000001',3);
INSERT INTO "session_counts" VALUES('20270115_080000_000002',1);
CREATE TABLE sessions(
            id TEXT PRIMARY KEY NOT NULL,
            title TEXT NOT NULL,
            source TEXT NOT NULL,
            system_prompt TEXT NOT NULL,
            tools TEXT NOT NULL,
            created_at REAL NOT NULL,
            last_active REAL NOT NULL,
            running_row INTEGER
        , archived INTEGER NOT NULL DEFAULT 0, deleted_at REAL);
INSERT INTO "sessions" VALUES('20270115_080000_000001','Plans ✈️','tui','{"role":"system","content":"You help."}','[]',100.0,120.0,NULL,0,NULL);
INSERT INTO "sessions" VALUES('20270115_080000_000002','','tui','','[]',100.0,110.0,4,0,NULL);
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
CREATE TABLE tapbacks(meaning TEXT NOT NULL, row_id INTEGER NOT NULL, author TEXT NOT NULL, part TEXT NOT NULL, emoji TEXT NOT NULL, session_id TEXT NOT NULL, PRIMARY KEY(meaning, row_id, author, part)) WITHOUT ROWID;
INSERT INTO "tapbacks" VALUES('👍',2,'user','','👍🏽','20270115_080000_000001');
INSERT INTO "tapbacks" VALUES('😂',1,'agent','','😂','20270115_080000_000001');
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
CREATE INDEX sessions_deleted ON sessions(deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX tapbacks_by_row ON tapbacks(row_id);
CREATE INDEX tapbacks_by_session ON tapbacks(session_id, meaning);
CREATE TRIGGER count_inserted AFTER INSERT ON messages WHEN (new.active = 1 AND new.role IN ('user', 'assistant') AND new.text != '') BEGIN INSERT INTO session_counts(session_id, said) VALUES(new.session_id, 1) ON CONFLICT(session_id) DO UPDATE SET said = said + excluded.said; END;
CREATE TRIGGER count_deleted AFTER DELETE ON messages WHEN (old.active = 1 AND old.role IN ('user', 'assistant') AND old.text != '') BEGIN UPDATE session_counts SET said = said - 1 WHERE session_id = old.session_id; END;
CREATE TRIGGER count_updated AFTER UPDATE OF text, role, active ON messages WHEN (old.active = 1 AND old.role IN ('user', 'assistant') AND old.text != '') != (new.active = 1 AND new.role IN ('user', 'assistant') AND new.text != '') BEGIN INSERT INTO session_counts(session_id, said) VALUES(new.session_id, (new.active = 1 AND new.role IN ('user', 'assistant') AND new.text != '') - (old.active = 1 AND old.role IN ('user', 'assistant') AND old.text != '')) ON CONFLICT(session_id) DO UPDATE SET said = said + excluded.said; END;
CREATE TRIGGER tapbacks_inserted AFTER INSERT ON messages WHEN instr(coalesce(new.display_metadata, ''), '"reactions":') > 0 BEGIN INSERT OR IGNORE INTO tapbacks(meaning, row_id, author, part, emoji, session_id) SELECT replace(replace(replace(replace(replace(replace(json_extract(entry.value, '$.emoji'), '🏻', ''), '🏼', ''), '🏽', ''), '🏾', ''), '🏿', ''), '️', ''), new.row_id, coalesce(json_extract(entry.value, '$.author'), ''), coalesce(json_extract(entry.value, '$.part'), ''), json_extract(entry.value, '$.emoji'), new.session_id FROM json_each(CASE WHEN json_valid(new.display_metadata) THEN new.display_metadata ELSE '{}' END, '$.reactions') AS entry WHERE new.active = 1 AND entry.type = 'object' AND json_extract(entry.value, '$.emoji') IS NOT NULL; END;
CREATE TRIGGER tapbacks_deleted AFTER DELETE ON messages WHEN instr(coalesce(old.display_metadata, ''), '"reactions":') > 0 BEGIN DELETE FROM tapbacks WHERE row_id = old.row_id; END;
CREATE TRIGGER tapbacks_updated AFTER UPDATE OF display_metadata, active ON messages WHEN instr(coalesce(old.display_metadata, ''), '"reactions":') > 0 OR instr(coalesce(new.display_metadata, ''), '"reactions":') > 0 BEGIN DELETE FROM tapbacks WHERE row_id = old.row_id; INSERT OR IGNORE INTO tapbacks(meaning, row_id, author, part, emoji, session_id) SELECT replace(replace(replace(replace(replace(replace(json_extract(entry.value, '$.emoji'), '🏻', ''), '🏼', ''), '🏽', ''), '🏾', ''), '🏿', ''), '️', ''), new.row_id, coalesce(json_extract(entry.value, '$.author'), ''), coalesce(json_extract(entry.value, '$.part'), ''), json_extract(entry.value, '$.emoji'), new.session_id FROM json_each(CASE WHEN json_valid(new.display_metadata) THEN new.display_metadata ELSE '{}' END, '$.reactions') AS entry WHERE new.active = 1 AND entry.type = 'object' AND json_extract(entry.value, '$.emoji') IS NOT NULL; END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',5);
COMMIT;
PRAGMA user_version = 4;
